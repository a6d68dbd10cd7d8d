// SPDX-License-Identifier: Apache-2.0
// Synonyms of everyday life. See vocabulary_tables.h for the notation.
#include "parlance/memory/text/vocabulary_tables.h"

namespace parlance::memory {

std::string_view same_in_life() {
  return R"(
prefer preference favorite favourite like love enjoy fond fan lieblings bevorzugt prefere 喜欢 偏好 喜爱 爱好 偏爱 最喜欢 最爱 爱 好き 好む お気に入り 좋아 mag bevorzuge gern gerne aime gusta prefiere нравится любит предпочитает любимый rather favourites favorites
dislike hate detest avoid annoy annoyed 讨厌 不喜欢 反感 避免 嫌い despise cannot_stand aversion 不爱
hobby hobbies pastime leisure spare_time free_time 兴趣 爱好 业余 业余时间 趣味 free_time_activity passion
decide decision chose choose chosen choice pick picked opt settle agreed 决定 选择 选定 选用 采用 约定 商定 entschieden entscheidung decidi решили решение
buy bought purchase purchased order ordered acquire 购买 买 买了 采购 下单 kaufen gekauft acheter comprar купить купил bought_from shop_at
sell sold 卖 出售
pay paid payment 付款 支付 付钱 缴费
cost price fee charge expense 价格 费用 成本 多少钱 花费 料金
start begin began begun launch kickoff commence 开始 启动 开启 anfang beginn beginnt
end finish complete completed conclude over 结束 完成 ende fertig
stop halt quit cease 停止
create build built construct 创建 建立 构建 搭建
fix repair resolve solve fixed 修复 修理 解决 维修 patch patched
change modify alter edit update adjust 修改 更改 变更 更新 改
delete remove erase drop 删除 移除 loschen geloscht
add append insert 添加 增加 加入
send sent deliver transmit mail_out 发送 寄 goes_out go_out dispatch dispatched
receive received get_back 收到 接收
open opening opens 打开 开门
close shut closed closes 关闭 关门
store save saved keep_in stored 存储 保存 存放 存 keep kept keeps retain retained retention 保留 留存
forbid forbidden ban prohibit disallow not_allowed 禁止 不允许 不准 never_use not_permitted off_limits 不得 不要 严禁
allow permit permitted 允许
must required mandatory obligatory 必须 强制
speak spoke spoken talk 讲 会说 说话 spricht sprechen parle
teach taught 教
learn learning study studying studies 学习 学
read reading 阅读 读书
write wrote written 写 编写
eat ate eaten eating 吃 isst essen mange ест diet dietary food nutrition 饮食 忌口
drink drank drunk beverage 喝 饮料 trinkt trinken boit getrank пьет
sleep slept asleep bedtime 睡觉 睡眠 goes_bed to_bed bed nap
drive drove driven driving 开车 驾驶 fahrt fahren
fly flew flown flight flights 航班 飞机 飞
meet met meeting meetings standup sync gathering 会议 开会 例会 晨会 站会 会 ミーティング 会議 回의 besprechung treffen reunion встреча совещание appointment appointments 预约 约会
marry married wedding marriage 结婚 婚礼 hochzeit verheiratet spouse
born birthday birthdate birth_date bday 生日 出生 诞生日 誕生日 생일 geburtstag geboren anniversaire cumpleanos родился
die died death dead 去世 死
travel trip journey vacation holiday holidays tour 旅行 旅游 出游 度假 假期 旅程 reise urlaub voyage viaje путешествие отпуск vacations fly_to away abroad 去玩 出国
move moved relocate relocation 搬家 搬
visit visited 拜访 参观
live lives living reside resident lived 住 居住 住在 wohnt wohnen habite vive живет home moved_to lodging dwelling 住处 家住 居所
work_at employed employer job occupation profession career 工作 职业 公司 上班 供职 arbeit arbeitet beruf travail trabajo работа работает works_for works_at working_as position role title 岗位 职位 做什么工作
meaning means mean 意思
compare comparison versus vs 比较 对比
explain explanation describe description 解释 说明 描述
search lookup find_out 搜索 查找 检索
plan plans planned planning schedule scheduled 计划 规划 安排 日程
wait waiting 等待 等
try attempt 尝试
fail failed failure fails broken 失败 坏了
succeed success successful 成功
rule rules policy guideline convention 规则 规定 规范 约定 政策
wife spouse husband partner 妻子 老婆 丈夫 老公 爱人 太太 配偶 妻 夫 frau ehefrau mann ehemann femme mari esposa marido жена муж married_to couple fiance fiancee
child children kid kids son daughter 孩子 儿子 女儿 小孩 子女 子供 kind kinder sohn tochter enfant fils fille hijo hija дети ребенок сын дочь toddler baby teenager twins 宝宝 双胞胎
mother mom mum mama 母亲 妈妈 妈 母 mutter mere madre мать мама
father dad papa daddy 父亲 爸爸 爸 父 vater pere padre отец папа
parent parents 父母 家长 eltern
sister sisters 姐姐 妹妹 姐妹 schwester soeur hermana сестра
brother brothers 哥哥 弟弟 兄弟 bruder frere hermano брат
grandmother grandma granny 奶奶 外婆 姥姥
grandfather grandpa 爷爷 外公 姥爷
family relatives 家人 家庭 亲戚 家族 familie famille familia семья
friend friends buddy pal mate 朋友 好友 友達 freund freundin ami amie amigo amiga друг
boss manager supervisor lead leader 老板 经理 上司 领导 主管 负责人 chef chefin vorgesetzter начальник reports_to line_manager head_of superior 汇报 managed_by
colleague coworker colleagues coworkers teammate 同事 kollege kollegin collegue коллега
customer client customers clients 客户 顾客 kunde kunden kundin клиент
employee employees staff 员工 职员
neighbor neighbour 邻居
guest visitor 客人
doctor physician gp 医生 大夫 医師 arzt arztin hausarzt medecin medico врач dr surgery 看病
dentist dental teeth tooth 牙医 牙科 牙齿 牙 zahnarzt dentiste dentista стоматолог
hospital clinic 医院 诊所 krankenhaus hopital больница
medicine medication drug pills pill 药 药物 吃药 tablet tablets dose insulin antibiotic
allergy allergic allergies intolerant 过敏 アレルギー allergie allergisch allergique alergia alergico аллергия anaphylaxis reacts_to 忌口
ill sick illness disease unwell 生病 疾病 病 krank krankheit malade болезнь diabetes asthma migraine flu cold_flu 糖尿病 哮喘 偏头痛
pain ache hurt hurts 疼 痛
healthy health 健康
vegetarian vegan meatless plant_based 素食 吃素 素食者 不吃肉 vegetarisch vegetarier vegetarien вегетарианец
meat beef pork chicken 肉 牛肉 猪肉 鸡肉 fleisch viande carne мясо
spicy hot_food chili 辣 辣的 吃辣 麻辣
breakfast 早餐 早饭 fruhstuck desayuno завтрак
lunch midday_meal 午餐 午饭 mittagessen dejeuner almuerzo обед
dinner supper 晚餐 晚饭 abendessen diner cena ужин
meal food dish cuisine 饭 饭菜 菜 食物 食品 菜系 料理
restaurant diner bistro 餐厅 饭店 餐馆 饭馆 ресторан eatery cafe pub bar
coffee espresso latte cappuccino 咖啡 拿铁 美式 コーヒー kaffee cafe кофе
tea 茶 绿茶 红茶 tee чай
beer 啤酒 bier biere cerveza пиво
wine 红酒 葡萄酒 wein vin vino вино
alcohol booze 酒 喝酒
house home apartment flat 房子 家 住宅 公寓 家里 haus wohnung maison appartement casa дом квартира lives_in residence
address street location located where_at 地址 位置 地点 位于 住址 所在 场所 adresse anschrift strasse direccion адрес улица
room 房间 zimmer chambre комната
kitchen 厨房
garden yard 花园 院子
rent rental lease landlord 房租 租金 租房 租约 房东 miete loyer аренда
city town 城市 stadt ville ciudad город
country nation 国家 land pays pais страна
school 学校 schule ecole escuela школа
university college 大学 universitat universite университет
teacher professor 老师 教师 lehrer lehrerin professeur учитель
student pupil 学生
exam examination 考试
class course lesson lessons 课程 课 上课
language tongue 语言 言語 sprache langue idioma язык
english 英语 英文 englisch anglais английский
chinese mandarin 中文 汉语 普通话
german deutsch 德语 德文 allemand немецкий
french 法语 法文 franzosisch francais французский
japanese 日语 日文
spanish 西班牙语
germany deutschland 德国 allemagne германия
france 法国
china 中国
japan 日本
america usa united_states 美国
england uk britain united_kingdom 英国
berlin 柏林 берлин
london 伦敦 londres лондон
paris 巴黎 париж
tokyo 东京
beijing 北京
shanghai 上海
hangzhou 杭州
shenzhen 深圳
new_york 纽约
munich munchen 慕尼黑
vienna wien 维也纳
car auto vehicle automobile 汽车 车 车子 轿车 车辆 wagen voiture coche машина автомобиль drives van truck wheels
bicycle bike cycling cycle 自行车 单车 骑车 骑行 fahrrad rad velo bicicleta велосипед
train railway rail 火车 高铁 列车 zug bahn tren поезд
bus 公交 公交车 巴士
subway metro underground 地铁
plane airplane aircraft 飞机 flugzeug avion самолет
parking park parked 停车 停车场 车位 parkplatz
commute commuting 通勤 上下班
airport 机场 flughafen aeroport
hotel accommodation 酒店 宾馆 住宿 отель гостиница
passport 护照 reisepass passeport паспорт
visa 签证
ticket tickets 票 机票 车票 fahrkarte billet билет
luggage baggage suitcase 行李
seat seats aisle window_seat 座位
cat kitten kitty 猫 小猫 猫咪 katze gato кот кошка
dog puppy hound 狗 小狗 犬 hund hunde chien perro собака
pet pets 宠物 ペット haustier haustiere mascota питомец keeps_a furry
bird parrot 鸟 鹦鹉 vogel oiseau птица
fish 鱼
name named called nickname surname 名字 名称 叫做 姓名 叫 名前 昵称 称呼 heisst nom nombre имя зовут titled
age old_is years_old 年龄 岁 alter edad возраст old born how_old 多大 今年岁 older younger elder
phone telephone mobile cellphone cell_phone smartphone 电话 手机 手机号 手机号码 电话号码 携帯 telefon telefonnummer handy telefono телефон reach_at dial ring_up
email mail 邮件 邮箱 电子邮件 邮件地址 メール mailadresse correo почта
letter 信
parcel package 包裹 快递
money cash 钱 现金 geld argent dinero деньги funds
salary wage earn earns earned pay_check income 工资 薪水 收入 薪资 gehalt lohn salaire зарплата earnings paycheck compensation remuneration 年薪 月薪
bank 银行 банк
account 账户 账号 帐号 konto compte cuenta аккаунт счет
insurance insured 保险 versicherung assurance seguro страховка
tax taxes 税 steuer steuern impot налог
invoice bill receipt 发票 账单 收据 rechnung facture factura
budget 预算 бюджет
contract agreement 合同 协议 vertrag contrat договор
discount 折扣
movie film cinema 电影 影片 pelicula фильм кино
music song songs 音乐 歌 歌曲 音楽 musik musique musica музыка
book novel books 书 书籍 小说 本 buch bucher livre libro книга
game games gaming 游戏 spiel spiele jeu
photo picture photograph image photography 照片 图片 摄影 相片 写真 foto fotos фото
camera 相机
guitar 吉他
piano 钢琴
sport sports exercise workout fitness gym 运动 健身 锻炼 体育
run_jog jog jogging running marathon 跑步 慢跑 马拉松
swim swimming swam pool 游泳
hike hiking trekking climbing 爬山 徒步 登山
soccer football 足球
basketball 篮球
chess 象棋 国际象棋
yoga 瑜伽
gift present 礼物 geschenk cadeau surprise
party celebration celebrate 聚会 派对 庆祝
anniversary 纪念日 周年
christmas xmas weihnachten 圣诞 圣诞节
shoe shoes sneakers 鞋 鞋子 schuhe
clothes clothing shirt 衣服
size sizes 尺寸 尺码 大小
glasses 眼镜
watch wristwatch 手表
key keys 钥匙 schlussel cle
door gate 门
weather rain rainy 天气 下雨 wetter forecast sunny storm snow 天气预报
deadline due due_date cutoff 截止 截止日期 期限 到期 最后期限 締切 frist abgabe echeance срок due_on by_when hand_in submit
date calendar_day 日期 日子 datum
time_zone timezone tz utc 时区 タイムゾーン zeitzone
clock hour hours 小时 点钟 钟
minute minutes 分钟
week weekly 每周 星期 周 woche wochentlich semaine semana неделя
month monthly 每月 monat mois месяц
year yearly annual annually 每年 jahr jahrlich annee год
daily every_day everyday 每天 每日 天天 毎日 taglich quotidien
morning early am 早上 上午 早晨 清晨 朝 morgens fruh matin manana утро утром
noon midday 中午 mittag
afternoon pm 下午
evening night tonight late 晚上 夜里 夜晚 晚间 夜 abend abends soir вечер
weekend 周末 wochenende выходные
today 今天
tomorrow 明天
yesterday 昨天
monday mon montag 周一 星期一 月曜 lundi lunes понедельник
tuesday tue dienstag 周二 星期二 火曜 mardi martes вторник
wednesday wed mittwoch 周三 星期三 水曜 mercredi среда
thursday thu donnerstag 周四 星期四 木曜 jeudi четверг
friday fri freitag 周五 星期五 金曜 vendredi viernes пятница
saturday samstag 周六 星期六 土曜 samedi суббота
sunday sonntag 周日 星期日 星期天 日曜 dimanche domingo воскресенье
january januar 一月
february februar 二月
march marz 三月
april 四月
may_month mai 五月
june juni 六月
july juli 七月
august 八月
september 九月
october oktober 十月
november 十一月
december dezember 十二月
wake wakes woke wakeup get_up gets_up 起床 醒 alarm_clock early_riser rise
alarm alert alerts alerting pager paging 闹钟 报警 告警 警报
leave absence day_off time_off pto 请假 休假 年假 休み
overtime 加班
remote remotely home_office work_from_home wfh telecommute 远程 远程办公 在家办公 居家办公 在宅 homeoffice teletravail удаленно from_home at_home 居家
office workplace 办公室 オフィス buro bureau oficina офис on_site onsite desk
color colour colors colours farbe couleur hue 颜色 色彩 色 цвет
dark dunkel sombre night_mode 深色 暗色 黑暗 夜间 暗黑 暗 深 ダーク темный темная темную
light bright hell 浅色 亮色 明亮 浅 ライト светлый
theme appearance look_and_feel skin scheme color_scheme 主题 外观 皮肤 配色 テーマ 테마 thema тема
red rot rouge 红色 红 赤 rojo красный
blue blau bleu 蓝色 蓝 青 azul синий
green grun vert 绿色 绿 緑 verde зеленый
yellow gelb 黄色
black schwarz 黑色 黒 noir negro черный
white weiss 白色 白 blanc blanco белый
gray grey 灰色
orange 橙色
purple violet 紫色 紫
pink 粉色 粉红
brown 棕色
font typeface schriftart 字体 フォント
font_size text_size 字号
icon icons 图标
layout 布局
window windows_ui 窗口
button 按钮
menu 菜单
screen monitor display monitors 屏幕 显示器 显示屏 画面 bildschirm ecran pantalla экран
keyboard 键盘 キーボード tastatur clavier teclado клавиатура
mouse trackpad 鼠标
headphones headset earphones 耳机
printer 打印机
fast quick rapid speed speedy 快 快速 速度 schnell rapide latency faster fastest
slow sluggish 慢 很慢 缓慢 langsam lent медленно slower
small tiny little 小 smaller smallest
large big huge 大 larger bigger largest biggest
expensive costly pricey 贵 昂贵 pricier dearer
cheap inexpensive 便宜 cheaper
quiet silent silence noise 安静 噪音
short brief concise succinct terse 简短 简洁 简明 短 shorter
long lengthy detailed verbose 详细 长 冗长
warm hot heat heating 暖 热
cold cool 冷
length long longest lang longueur 长度 长 longer
height tall high 身高 高度 高 taller higher
weight weigh weighs heavy kg kilogram kilos 体重 重量 重 heavier lighter
width wide breadth 宽度 宽 wider
depth deep 深度
distance far kilometres kilometers km miles away_from 距离 远 公里 farther further
temperature degrees celsius warm cold heating 温度 度
owner owns belong belongs owned maintainer maintains maintained responsible in_charge charge_of 负责 负责人 维护 归属
reason because why_we rationale motivation cause due_to 原因 理由 为了
goal aim target objective purpose 目标 目的
problem trouble difficulty issue_with 问题 麻烦 困难
advantage benefit pro upside 优点 好处
disadvantage drawback con downside 缺点 坏处
replace replaced substitute swap switch switched switching migrate_from 替换 更换 换成 换
use_case application_of usage 用途
rent_out sublet
graduate graduated degree diploma alumni studied 毕业 学位 学历 学士 硕士 博士
job_interview interview candidate recruiting hiring hire hired 面试 招聘 录用
promotion promoted 晋升 升职
quit_job resign resigned resignation 离职 辞职
retire retired retirement pension 退休 养老金
birthplace hometown native_of from_originally grew_up 老家 家乡 出生地 籍贯
religion faith church mosque temple 宗教
nationality citizen citizenship 国籍
blood_type blood 血型
sibling sister brother siblings 兄弟姐妹
relationship boyfriend girlfriend dating single 男朋友 女朋友 对象 单身
divorce divorced separated 离婚
pregnant pregnancy expecting 怀孕
smoke smoking cigarettes smoker 抽烟 吸烟
exercise training train_for gym workout 锻炼 健身 训练
diet lose_weight slimming calories 减肥 节食
eyesight glasses contact_lenses shortsighted 近视 眼镜 视力
left_handed lefthanded left_hand southpaw 左撇子
nervous anxious afraid fear fears phobia scared 害怕 怕 恐惧
angry upset furious 生气
happy glad pleased joyful 高兴 开心 快乐
tired exhausted fatigue 累 疲劳
busy occupied no_time 忙 没空
free available availability 有空 空闲
cook cooking recipe bake baking chef 做饭 烹饪 菜谱 食谱
bread bakery loaf 面包
sugar sweet sweets dessert sweetened unsweetened 糖 甜 甜食 甜点
milk dairy lactose 牛奶 乳制品
nuts hazelnut hazelnuts walnut almond cashew peanut 坚果 榛子 花生
seafood shrimp prawn shellfish crab lobster 海鲜 虾 蟹
supermarket grocery groceries 超市
plant plants flower flowers 植物 花
tree trees wood forest 树 树木
water watering 水 浇水
river lake sea ocean beach coast 河 湖 海 海边
mountain mountains alps hill peak 山 山区
north south east west 北 南
left_side left right_side
upstairs floor storey 楼 楼层
furniture table chair desk sofa couch 家具 桌子 椅子 沙发
bed bedroom mattress 床 卧室
bathroom toilet restroom shower 卫生间 厕所 浴室
electricity power current_supply 电 电力 供电
battery charge charger charging 电池 充电 充电器
repairman handyman plumber electrician craftsman 维修工 水管工 电工
cleaning clean cleaner tidy laundry washing 打扫 清洁 洗衣
garbage trash rubbish waste recycling bin 垃圾 垃圾桶
lawyer attorney solicitor legal court 律师 法律 法院
police officer 警察 警方
accident crash_of collision injured injury 事故 车祸 受伤
fire smoke_detector 火 火灾
mobile_plan carrier sim provider isp 运营商 套餐 宽带
subscription subscribe subscribed membership member 订阅 会员
loan mortgage debt credit borrow owe 贷款 房贷 欠
savings invest investment stocks shares fund portfolio 投资 股票 基金 存款 理财
donate donation charity 捐款 慈善
news newspaper journal magazine 新闻 报纸 杂志
author writer novelist 作者 作家
artist painter painting paintings drawing draws 画家 画 画画
concert gig festival band orchestra 音乐会 演唱会 乐队
theatre theater opera ballet stage_play 剧院 歌剧 戏剧
museum gallery exhibition 博物馆 展览 美术馆
dance dancing tango salsa ballet 跳舞 舞蹈
sing singing choir singer 唱歌 合唱 歌手
garden_work gardening gardener 园艺
fishing angling 钓鱼
ski skiing snowboard 滑雪
tent camping campsite 露营
race competition tournament championship contest 比赛 竞赛
win won winner victory 赢 胜利
team_name squad crew 团队 小组
unit units metric imperial 单位 公制
currency 货币 币种
invoice_number customer_number
delivery shipping ship_to courier delivered 送货 配送 快递
warranty guarantee 保修 质保
return refund returned 退货 退款
complaint complain complained 投诉
supplier vendor suppliers 供应商
competitor competitors rival 竞争对手 竞品
marketing advertising ads campaign 营销 广告 推广
sales revenue turnover 销售 营收 销售额
profit margin earnings_of 利润
founder founded established ceo 创始人 创立 成立 总裁
headquarters head_office based_in 总部
branch_office subsidiary 分公司
department division unit_of 部门
)";
}

}  // namespace parlance::memory
